"""A Kubernetes control plane with a process kubelet: for tests, benchmarks, and `make cluster`."""
