"""A node that runs pods as processes of this machine."""

from __future__ import annotations

import base64
import signal
from functools import partial
from pathlib import Path

import psutil
import pytest
from tests.cluster.pods import (
    apply,
    main_state,
    make_pod,
    read,
    wait_phase,
    wait_pod,
    wait_ready,
)
from tools.kube.cluster import CommandError
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet
from tools.kube.wait import until

pytestmark = pytest.mark.usefixtures("process_node")

WEB = """
import http.server, os
server = http.server.HTTPServer((os.environ["POD_IP"], 8000), http.server.SimpleHTTPRequestHandler)
server.serve_forever()
"""
FIELDS = [{"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}]


def shell(script: str) -> tuple[str, str, str]:
    return "sh", "-c", script


def logs(cluster: ControlPlane, namespace: str, *args: str) -> str:
    return cluster.kubectl("logs", "-n", namespace, *args)


def test_a_pod_runs_to_its_end_and_its_log_stays(cluster: ControlPlane, namespace: str) -> None:
    apply(cluster, namespace, make_pod("one", *shell("echo first; echo second >&2")))
    pod = wait_phase(cluster, namespace, "one", "Succeeded")
    assert main_state(pod)["terminated"]["reason"] == "Completed"
    assert logs(cluster, namespace, "one") == "first\nsecond\n"
    assert logs(cluster, namespace, "one", "--tail=1") == "second\n"


@pytest.mark.parametrize(("script", "code"), [("exit 75", 75), ("kill -9 $$$$", 137), ("kill -TERM $$$$", 143)])
def test_exit_codes(cluster: ControlPlane, namespace: str, script: str, code: int) -> None:
    apply(cluster, namespace, make_pod("one", *shell(script)))
    assert main_state(wait_phase(cluster, namespace, "one", "Failed"))["terminated"]["exitCode"] == code


def test_a_crashing_container_backs_off_and_keeps_the_log_before(cluster: ControlPlane, namespace: str) -> None:
    script = 'echo "try $(ls | wc -l)"; touch "$(date +%N)"; exit 3'
    apply(cluster, namespace, make_pod("one", *shell(script), restartPolicy="Always"))
    pod = wait_pod(
        cluster,
        namespace,
        "one",
        lambda pod: (
            main_state(pod).get("waiting", {}).get("reason") == "CrashLoopBackOff"
            and pod["status"]["containerStatuses"][0]["restartCount"] == 2
        ),
        "third crash",
    )
    assert pod["status"]["phase"] == "Running"
    assert logs(cluster, namespace, "one", "--previous").startswith("try ")


def test_a_program_that_is_not_there(cluster: ControlPlane, namespace: str) -> None:
    apply(cluster, namespace, make_pod("one", "no-such-program"))
    ended = main_state(wait_phase(cluster, namespace, "one", "Failed"))["terminated"]
    assert (ended["reason"], ended["exitCode"]) == ("StartError", 128)


def test_an_unknown_image_cannot_be_pulled(cluster: ControlPlane, namespace: str) -> None:
    apply(cluster, namespace, make_pod("one", "true", container={"image": "example.org/other:1"}))
    wait_pod(
        cluster,
        namespace,
        "one",
        lambda pod: main_state(pod).get("waiting", {}).get("reason") == "ImagePullBackOff",
        "ImagePullBackOff",
    )


def test_environment_of_every_source(cluster: ControlPlane, namespace: str) -> None:
    cluster.kubectl(
        "create", "configmap", "words", "-n", namespace, "--from-literal=greeting=hello", "--from-literal=a=1"
    )
    cluster.kubectl("create", "secret", "generic", "keys", "-n", namespace, "--from-literal=password=pass word")
    env = [
        *FIELDS,
        {"name": "LABEL", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}},
        {"name": "GREETING", "valueFrom": {"configMapKeyRef": {"name": "words", "key": "greeting"}}},
        {"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": "keys", "key": "password"}}},
        {"name": "NONE", "valueFrom": {"secretKeyRef": {"name": "none", "key": "none", "optional": True}}},
        {"name": "BOTH", "value": "$(GREETING) $(LABEL) $$(LABEL) $(UNKNOWN)"},
    ]
    env_from = [{"configMapRef": {"name": "words"}, "prefix": "W_"}]
    script = 'echo "$BOTH|$PASSWORD|$W_a|${NONE-unset}|$1|$POD_IP"'
    pod = make_pod("one", "sh", "-c", script, "sh", "$(GREETING)", container={"env": env, "envFrom": env_from})
    apply(cluster, namespace, pod)
    address = wait_phase(cluster, namespace, "one", "Succeeded")["status"]["podIP"]
    said = logs(cluster, namespace, "one")
    assert said == f"hello one $(LABEL) $(UNKNOWN)|pass word|1|unset|hello|{address}\n"


def test_a_missing_secret_is_waited_for(cluster: ControlPlane, namespace: str) -> None:
    env = [{"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "late", "key": "key"}}}]
    apply(cluster, namespace, make_pod("one", *shell("echo $KEY"), container={"env": env}))
    wait_pod(
        cluster,
        namespace,
        "one",
        lambda pod: main_state(pod).get("waiting", {}).get("reason") == "CreateContainerConfigError",
        "CreateContainerConfigError",
    )
    cluster.kubectl("create", "secret", "generic", "late", "-n", namespace, "--from-literal=key=there")
    wait_phase(cluster, namespace, "one", "Succeeded")


def test_volumes_lie_where_the_container_is_told(cluster: ControlPlane, namespace: str) -> None:
    cluster.kubectl("create", "configmap", "files", "-n", namespace, "--from-literal=run.yaml=state: /state/x")
    mounts = [
        {"name": "files", "mountPath": "/etc/app"},
        {"name": "state", "mountPath": "/state"},
        {"name": "state", "mountPath": "/below", "subPath": "deep/er"},
    ]
    volumes = [{"name": "files", "configMap": {"name": "files"}}, {"name": "state", "emptyDir": {}}]
    script = (
        'cat /etc/app/run.yaml; echo; mkdir -p /below; echo hi > /below/f; cat /state/deep/er/f; test "$0" = "@$D/x"'
    )
    env = [{"name": "D", "value": "/state"}]
    container = {"volumeMounts": mounts, "env": env}
    apply(cluster, namespace, make_pod("one", *shell(script), "@/state/x", container=container, volumes=volumes))
    wait_phase(cluster, namespace, "one", "Succeeded")
    state, said = logs(cluster, namespace, "one").splitlines()
    assert state.startswith("state: /")
    assert state.endswith("/state/x")
    assert state != "state: /state/x"
    assert said == "hi"


def test_a_claim_gets_a_folder_that_goes_with_it(cluster: ControlPlane, namespace: str) -> None:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "disk"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
    volumes = [{"name": "disk", "persistentVolumeClaim": {"claimName": "disk"}}]
    container = {"volumeMounts": [{"name": "disk", "mountPath": "/data"}]}
    apply(
        cluster, namespace, claim, make_pod("one", *shell("echo kept > /data/f"), container=container, volumes=volumes)
    )
    wait_phase(cluster, namespace, "one", "Succeeded")
    apply(cluster, namespace, make_pod("two", *shell("cat /data/f"), container=container, volumes=volumes))
    wait_phase(cluster, namespace, "two", "Succeeded")
    assert logs(cluster, namespace, "two") == "kept\n"
    volume = read(cluster, namespace, "pvc", "disk")["spec"]["volumeName"]
    folder = Path(read(cluster, namespace, "pv", volume)["spec"]["hostPath"]["path"])
    assert (folder / "f").exists()
    cluster.kubectl("delete", "pod", "one", "two", "-n", namespace)
    cluster.kubectl("delete", "pvc", "disk", "-n", namespace)
    until(lambda: not folder.exists() and not read(cluster, namespace, "pv", volume), "the volume's end")


def test_readiness_and_liveness_probes(cluster: ControlPlane, namespace: str, tmp_path: Path) -> None:
    quick = {"periodSeconds": 1, "failureThreshold": 1, "timeoutSeconds": 20}
    mounts = {"volumeMounts": [{"name": "flags", "mountPath": "/flags"}]}
    container = mounts | {
        "startupProbe": {"exec": {"command": ["test", "-e", "/flags/started"]}, "periodSeconds": 1},
        "readinessProbe": {"exec": {"command": ["test", "-e", "/flags/ready"]}} | quick,
        "livenessProbe": {"exec": {"command": ["test", "!", "-e", "/flags/dead"]}} | quick,
    }
    script = "touch /flags/started; exec sleep 600"
    flags = tmp_path / "flags"
    volumes = [{"name": "flags", "hostPath": {"path": str(flags)}}]
    apply(
        cluster,
        namespace,
        make_pod("one", *shell(script), container=container, volumes=volumes, restartPolicy="OnFailure"),
    )
    wait_pod(
        cluster, namespace, "one", lambda pod: pod["status"].get("containerStatuses", [{}])[0].get("started"), "started"
    )
    (flags / "ready").touch()
    wait_ready(cluster, namespace, "one")
    (flags / "dead").touch()
    pod = wait_pod(
        cluster,
        namespace,
        "one",
        lambda pod: pod["status"]["containerStatuses"][0]["restartCount"] >= 1,
        "restart by liveness",
    )
    assert pod["status"]["containerStatuses"][0]["lastState"]["terminated"]["exitCode"] == 143


def test_a_service_leads_to_a_ready_pod_by_its_name(cluster: ControlPlane, namespace: str) -> None:
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web"},
        "spec": {"selector": {"app": "server"}, "ports": [{"port": 80, "targetPort": "http"}]},
    }
    probe = {"httpGet": {"port": "http", "path": "/"}, "periodSeconds": 1}
    container = {"env": FIELDS, "ports": [{"name": "http", "containerPort": 8000}], "readinessProbe": probe}
    apply(cluster, namespace, service, make_pod("server", "python", "-c", WEB, container=container))
    wait_ready(cluster, namespace, "server")
    url = f"http://web.{namespace}.svc:80/"
    ask = f"import urllib.request; print(urllib.request.urlopen('{url}').status)"
    apply(cluster, namespace, make_pod("client", "python", "-c", ask))
    wait_phase(cluster, namespace, "client", "Succeeded")
    assert logs(cluster, namespace, "client") == "200\n"


def test_an_init_container_and_a_sidecar(cluster: ControlPlane, namespace: str) -> None:
    mounts = {"volumeMounts": [{"name": "box", "mountPath": "/box"}], "image": "mobilegym/worker"}
    inits = [
        mounts | {"name": "first", "args": ["sh", "-c", "echo init > /box/order"]},
        mounts
        | {
            "name": "side",
            "args": ["sh", "-c", "echo side >> /box/order; touch /box/up; exec sleep 600"],
            "restartPolicy": "Always",
            "startupProbe": {"exec": {"command": ["test", "-e", "/box/up"]}, "periodSeconds": 1},
        },
    ]
    script = "echo main >> /box/order; cat /box/order"
    pod = make_pod(
        "one", *shell(script), container=mounts, volumes=[{"name": "box", "emptyDir": {}}], initContainers=inits
    )
    apply(cluster, namespace, pod)
    ended = wait_phase(cluster, namespace, "one", "Succeeded")
    assert logs(cluster, namespace, "one") == "init\nside\nmain\n"
    side = ended["status"]["initContainerStatuses"][1]["state"]["terminated"]
    assert side["exitCode"] == 128 + signal.SIGTERM


def test_deletion_gives_grace_then_kills_everything(cluster: ControlPlane, namespace: str, process_node: Fleet) -> None:
    polite = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done"
    stubborn = "trap '' TERM; setsid sleep 654.321 & echo up; while :; do sleep 0.1; done"
    apply(
        cluster,
        namespace,
        make_pod("polite", *shell(polite)),
        make_pod("stubborn", *shell(stubborn), terminationGracePeriodSeconds=2),
    )
    for name in ("polite", "stubborn"):
        until(partial(_up, cluster, namespace, name), f"{name} is up")
    cluster.kubectl("delete", "pod", "polite", "stubborn", "-n", namespace, "--wait=true", timeout=30)
    executor = process_node.executor
    assert executor.logs is not None
    left = executor.logs.latest(namespace, "polite", "main")
    assert left is not None
    assert left.read_text() == "up\nbye\n"
    assert not [one for one in psutil.process_iter(["cmdline"]) if "654.321" in (one.info["cmdline"] or ())]


def _up(cluster: ControlPlane, namespace: str, name: str) -> bool:
    return "up" in _said(cluster, namespace, name)


def _said(cluster: ControlPlane, namespace: str, name: str) -> str:
    try:
        return logs(cluster, namespace, name)
    except CommandError:  # not started yet
        return ""


def test_a_log_is_followed_to_its_end(cluster: ControlPlane, namespace: str) -> None:
    apply(cluster, namespace, make_pod("one", *shell("for i in 1 2 3; do echo $i; sleep 0.5; done")))
    until(lambda: _said(cluster, namespace, "one"), "its first line")
    assert logs(cluster, namespace, "-f", "one") == "1\n2\n3\n"


def test_a_pod_talks_to_the_api_server_as_its_service_account(cluster: ControlPlane, namespace: str) -> None:
    cluster.kubectl("create", "serviceaccount", "asker", "-n", namespace)
    apply(
        cluster,
        namespace,
        make_pod("one", "kubectl", "auth", "whoami", serviceAccountName="asker", automountServiceAccountToken=True),
    )
    wait_phase(cluster, namespace, "one", "Succeeded")
    assert f"system:serviceaccount:{namespace}:asker" in logs(cluster, namespace, "one")


def test_pods_outlive_an_api_server_that_is_away(cluster: ControlPlane, namespace: str) -> None:
    apply(cluster, namespace, make_pod("one", *shell("sleep 3; exit 7")))
    wait_ready(cluster, namespace, "one")
    cluster.apiserver.kill()
    until(lambda: not cluster.apiserver.alive, "the API server's end")
    cluster.apiserver.start()
    cluster.wait_ready()
    assert main_state(wait_phase(cluster, namespace, "one", "Failed"))["terminated"]["exitCode"] == 7
    apply(cluster, namespace, make_pod("two", "true"))
    wait_phase(cluster, namespace, "two", "Succeeded")


def test_a_secret_file_holds_the_services_address(cluster: ControlPlane, namespace: str) -> None:
    url = f"redis://worker:pw@store.{namespace}.svc:6379/0"
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "url"},
        "data": {"worker": base64.b64encode(url.encode()).decode()},
    }
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "store"},
        "spec": {"selector": {"app": "store"}, "ports": [{"port": 6379}]},
    }
    container = {"volumeMounts": [{"name": "url", "mountPath": "/etc/redis"}]}
    volumes = [{"name": "url", "secret": {"secretName": "url"}}]
    apply(cluster, namespace, secret, service)
    apply(cluster, namespace, make_pod("one", *shell("cat /etc/redis/worker"), container=container, volumes=volumes))
    wait_phase(cluster, namespace, "one", "Succeeded")
    address = read(cluster, namespace, "service", "store")["spec"]["clusterIP"]
    assert logs(cluster, namespace, "one") == f"redis://worker:pw@{address}:6379/0"


def test_probes_go_on_while_the_api_server_is_away(cluster: ControlPlane, namespace: str, process_node: Fleet) -> None:
    probe = {"exec": {"command": ["sh", "-c", "echo probed >> /box/probes"]}, "periodSeconds": 1, "failureThreshold": 1}
    probe |= {"timeoutSeconds": 20}
    container = {"livenessProbe": probe, "volumeMounts": [{"name": "box", "mountPath": "/box"}]}
    volumes = [{"name": "box", "emptyDir": {}}]
    pod = make_pod("one", "sleep", "600", container=container, volumes=volumes, restartPolicy="Always")
    apply(cluster, namespace, pod)
    uid = wait_ready(cluster, namespace, "one")["metadata"]["uid"]
    box = next(one for one in process_node.kubelets["cpu-0"].pods.values() if one.key.uid == uid).sandbox.volumes["box"]
    cluster.apiserver.stop()
    before = _lines(box / "probes")
    until(lambda: _lines(box / "probes") >= before + 3, "probes without an API server")
    cluster.heal()
    apply(cluster, namespace, make_pod("two", "true"))
    wait_phase(cluster, namespace, "two", "Succeeded")
    assert read(cluster, namespace, "pod", "one")["status"]["containerStatuses"][0]["restartCount"] == 0


def _lines(path: Path) -> int:
    return path.read_text().count("\n") if path.exists() else 0


def test_a_longer_grace_at_deletion_holds(cluster: ControlPlane, namespace: str, process_node: Fleet) -> None:
    slow = "trap 'sleep 3; echo done; exit 0' TERM; echo up; while :; do sleep 0.1; done"
    apply(cluster, namespace, make_pod("one", *shell(slow), terminationGracePeriodSeconds=1))
    until(partial(_up, cluster, namespace, "one"), "it is up")
    cluster.kubectl("delete", "pod", "one", "-n", namespace, "--grace-period=20", timeout=30)
    assert process_node.executor.logs is not None
    log = process_node.executor.logs.latest(namespace, "one", "main")
    assert log is not None
    assert log.read_text() == "up\ndone\n"
