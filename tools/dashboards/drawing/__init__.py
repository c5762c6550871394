"""Pictures of dashboards, drawn with matplotlib from a live Prometheus."""
