import { svelte } from "@sveltejs/vite-plugin-svelte";

export default {
  root: "views/rhythm",
  // A View has no folder of its own on any server.
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: "dist",
    modulePreload: false,
    // `mcpapps bundle` puts the bridge in.
    rolldownOptions: { external: ["mcpapps:bridge"] },
  },
};
