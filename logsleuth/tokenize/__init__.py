"""From bytes to events: scan for literals, peel framing, match wordings, type fields."""
