"""The native esbuild: found or fetched, spoken to, and its answers read."""
