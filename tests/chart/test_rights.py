"""Rights: asked of a real API server, one question a line of docs/rbac.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from tests.chart import rights
from tests.chart.release import Release
from tests.chart.rights import CLUSTER, OWN, RIGHTS, Right
from tests.kube_fixtures import fresh_namespace
from tools.kube.cluster import Cluster
from tools.kube.controlplane import ControlPlane
from tools.kube.wait import until


@pytest.fixture(scope="module")
def release(cluster: ControlPlane) -> Iterator[Release]:
    """For all namespaces."""
    with fresh_namespace(cluster) as namespace:
        found = Release(cluster=cluster, namespace=namespace, name="rights")
        found.install()
        yield found
        found.uninstall()


@pytest.fixture
def elsewhere(cluster: ControlPlane) -> Iterator[str]:
    with fresh_namespace(cluster) as namespace:
        yield namespace


def review(right: Right, verb: str, user: str, namespace: str, groups: Sequence[str] = ()) -> dict[str, Any]:
    resource, _, sub = right.resource.partition("/")
    asked = {"verb": verb, "group": right.group, "resource": resource, "subresource": sub, "name": right.name}
    spec = {"user": user, "groups": list(groups), "resourceAttributes": asked | {"namespace": namespace}}
    return {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}


def answers(cluster: Cluster, reviews: Sequence[dict[str, Any]]) -> list[bool]:
    """Of the API server, to all questions in one call."""
    asked = {"apiVersion": "v1", "kind": "List", "items": list(reviews)}
    said = cluster.kubectl("create", "-f", "-", "-o", "json", input=json.dumps(asked)).strip()
    found: list[bool] = []
    while said:  # one document after the other
        answer, end = json.JSONDecoder().raw_decode(said)
        found.append(answer["status"].get("allowed", False))
        said = said[end:].lstrip()
    return found


def wrong(release: Release, elsewhere: str, table: Sequence[Right]) -> list[str]:
    user = f"system:serviceaccount:{release.namespace}:{release.name}-operator"
    places = {CLUSTER: "", OWN: release.namespace}
    cases = [(right, verb) for right in table for verb in right.each]
    reviews = [review(right, verb, user, places.get(right.where, elsewhere)) for right, verb in cases]
    said = answers(release.cluster, reviews)
    assert len(said) == len(cases)
    return [
        f"{verb} {right.resource}: {yes}" for (right, verb), yes in zip(cases, said, strict=True) if yes != right.may
    ]


def test_the_operator_may_do_what_the_table_says_and_nothing_more(release: Release, elsewhere: str) -> None:
    assert wrong(release, elsewhere, RIGHTS) == []


def test_with_one_namespace_it_may_do_nothing_in_another(cluster: ControlPlane, namespace: str, elsewhere: str) -> None:
    found = Release(cluster=cluster, namespace=namespace, name="one")
    found.install("--set", f"watch.namespace={namespace},rbac.aggregate=false,crds.install=false")
    own = [right for right in RIGHTS if right.where == rights.RUNS]
    try:
        # the Lease's rights are those of its own namespace, which is also the runs' here
        assert wrong(found, namespace, [right for right in own if right.resource != "leases"]) == []
        nothing = [Right(**{f: getattr(r, f) for f in ("verbs", "group", "resource", "why")}, may=False) for r in own]
        assert wrong(found, elsewhere, nothing) == []
    finally:
        found.uninstall()


def test_its_service_account_is_the_only_one_with_rights(release: Release) -> None:
    users = [f"system:serviceaccount:{release.namespace}:{name}" for name in ("default", f"{release.name}-smoke")]
    pods, crds = RIGHTS[6], next(right for right in RIGHTS if right.resource == "customresourcedefinitions")
    asked = [review(right, "get", user, release.namespace) for right in (pods, crds) for user in users]
    assert not any(answers(release.cluster, asked))


PEOPLE = {
    "view": (("get", True), ("list", True), ("watch", True), ("create", False), ("patch", False), ("delete", False)),
    "edit": (("get", True), ("list", True), ("create", True), ("patch", True), ("delete", True)),
    "admin": (("get", True), ("create", True), ("delete", True)),
}


@pytest.mark.parametrize("role", PEOPLE)
def test_people_with_a_role_have_it_for_runs_too(release: Release, elsewhere: str, role: str) -> None:
    release.cluster.kubectl("create", "rolebinding", role, "-n", elsewhere, f"--clusterrole={role}", f"--user={role}")
    runs = next(right for right in RIGHTS if right.resource == "mobilegymruns")
    asked = [review(runs, verb, role, elsewhere) for verb, _ in PEOPLE[role]]
    until(lambda: answers(release.cluster, asked) == [may for _, may in PEOPLE[role]], f"the role {role}'s rights")
    status = Right(may=False, verbs="patch", group=rights.GYM, resource="mobilegymruns/status", why="the operator's")
    assert answers(release.cluster, [review(status, "patch", role, elsewhere)]) == [False]


def test_the_documented_table_is_the_tested_one() -> None:
    assert rights.DOCS.read_text() == rights.page(), "run: python -m tests.chart.rights"
