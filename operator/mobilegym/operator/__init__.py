"""The Kubernetes operator: keeps what a MobileGymRun asks for true on a cluster."""
