import { rename } from 'node:fs/promises'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Moves the manifest, which only the worker reads, out of the folder that is served. */
const privateManifest: Plugin = {
  name: 'private-manifest',
  apply: 'build',
  async closeBundle() {
    await rename('dist/client/manifest.json', 'dist/manifest.json')
  },
}

export default defineConfig({
  publicDir: 'web/public',
  plugins: [react(), tailwindcss(), privateManifest],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: 'manifest.json',
    // A script that visitors download and run must be a file, however short it is.
    assetsInlineLimit: (file) => (file.endsWith('.mjs') ? false : undefined),
    modulePreload: { polyfill: false },
    // There is no index.html: the worker renders the page.
    rolldownOptions: {
      input: 'web/main.tsx',
      // One file for the home page: 144 KB against 151 KB (gzip) in the chunks that lazy screens would cut.
      output: { codeSplitting: { groups: [{ name: 'main', tags: ['$initial'] }] } },
    },
  },
})
