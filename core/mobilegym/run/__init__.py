"""The manifest `MobileGymRun`: what a run is, on one machine and on a cluster."""
