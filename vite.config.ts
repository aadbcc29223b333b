import { rename } from 'node:fs/promises'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { lineIcons } from './scripts/tools/line-icons.ts'
import { stripSchemasPlugin } from './scripts/tools/strip-schemas.ts'

/**
 * The worker reads the manifest to write the page around the app; it is not the public's to read, so it moves out of
 * the folder that is served.
 */
const privateManifest: Plugin = {
  name: 'private-manifest',
  apply: 'build',
  async closeBundle() {
    await rename('dist/client/manifest.json', 'dist/manifest.json')
  },
}

export default defineConfig({
  publicDir: 'web/public',
  // React has this hook of its own; the router's store asks for a stand-in for older ones (0.6 KB of the first script).
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  plugins: [react(), tailwindcss(), stripSchemasPlugin, lineIcons, privateManifest],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: 'manifest.json',
    // A script that people download and run is a file, however short it is.
    assetsInlineLimit: (file) => (file.endsWith('.mjs') ? false : undefined),
    modulePreload: {
      polyfill: false,
      // What a screen needs beside its styles it names itself, one request later: the home page's first script does not
      // carry the lists of all screens and of what is fetched when it comes near (0.9 KB of 130).
      resolveDependencies: (file, needed) =>
        /\/(lazy-pages|require-administrator|Community|SupporterHub|HubPreview|\w+Page)-/.test(file)
          ? needed.filter((one) => one.endsWith('.css'))
          : needed,
    },
    // No index.html: the worker writes the page.
    rolldownOptions: {
      input: 'web/main.tsx',
      output: {
        codeSplitting: {
          groups: [
            // Shapes that a form checks with, and their library: only screens that have such a form fetch them.
            {
              name: 'shapes',
              test: /\/node_modules\/zod\/|\/contract\/(text|shipping-address)\.ts$/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // What the first screen needs is one file: 3 KB smaller (gzip) than the shared pieces that lazy screens would cut out of it.
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
  },
})
