"""A run as small as one can be, for tests of its processes: NAME is its name in Redis, MODEL its weights."""

TINY = """\
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: run, annotations: {mobilegym.io/stream: NAME}}
spec:
  model: {preset: pocket, path: MODEL}
  algorithm:
    totalSteps: 3
    promptsPerStep: 2
    groupSize: 4
    staleness: 0
    maxTokens: 4
    trainVision: false
    evalEvery: 0
    evalEpisodes: 2
"""
