"""What the parts of a run say to each other: messages, streams, blobs, errors."""
