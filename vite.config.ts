import { rename } from 'node:fs/promises'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { parseSync, Visitor } from 'rolldown/utils'
import { defineConfig, type Plugin } from 'vite'

/** Moves the manifest, which only the worker reads, out of the folder that is served. */
const privateManifest: Plugin = {
  name: 'private-manifest',
  apply: 'build',
  async closeBundle() {
    await rename('dist/client/manifest.json', 'dist/manifest.json')
  },
}

const ENDPOINT_CALLS = /^(get|post|patch|del|upload)$/

/** Options of endpoint definitions that the browser does not read. */
const WORKER_OPTIONS = /^(description|query|status|anyOrigin|starts|demoOnly)$/

/**
 * Leaves schemas and descriptions out of the endpoint definitions, and lets unused ones be dropped: in production only
 * the worker validates. The browser reads only whether there is a response schema.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/worker\/contract\/[^/]+\.ts$/ },
    handler(code, id) {
      const edits: { start: number; end: number; text: string }[] = []
      new Visitor({
        CallExpression({ callee, arguments: [path, ...rest] }) {
          if (callee.type !== 'Identifier' || !ENDPOINT_CALLS.test(callee.name) || path?.type !== 'Literal') return
          const options = rest.at(-1)
          if (options?.type === 'ObjectExpression')
            for (const [index, property] of options.properties.entries())
              if (
                property.type === 'Property' &&
                property.key.type === 'Identifier' &&
                WORKER_OPTIONS.test(property.key.name)
              )
                edits.push({ start: options.properties[index - 1]?.end ?? property.start, end: property.end, text: '' })
          // `get` and `upload` have only the response's schema; the others have the body's before it.
          const schemas = /^(get|upload)$/.test(callee.name) ? [rest[0]] : rest.slice(0, 2)
          for (const schema of schemas)
            if (schema && !(schema.type === 'Literal' && schema.value === null))
              edits.push({ ...schema, text: schema === schemas.at(-1) ? 'true as never' : 'null as never' })
        },
        VariableDeclarator({ init }) {
          if (init?.type !== 'CallExpression') return
          // Marks the whole initializer as pure, so that an unused definition is dropped.
          edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => ' })
          edits.push({ start: init.end, end: init.end, text: ')()' })
        },
      }).visit(parseSync(id, code).program)
      edits.sort((a, b) => b.start - a.start)
      return {
        code: edits.reduce(
          (text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end),
          code,
        ),
        moduleSideEffects: false,
      }
    },
  },
}

export default defineConfig({
  publicDir: 'web/public',
  plugins: [withoutSchemas, react(), tailwindcss(), privateManifest],
  // React has the hook that the shim would add.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
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
      output: {
        codeSplitting: {
          // Otherwise validation, which only forms of lazy screens use, would join the main chunk.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /node_modules\/(?!zod\/)/ },
            { name: 'zod', test: /node_modules\/zod\// },
            // Without its own group it would join the chunk of schemas, which forms load on the first validation.
            { name: 'draft-rules', test: /contract\/draft-rules\.ts$/ },
            // One file for the app is smaller (gzip) than the chunks into which lazy screens would split it.
            { name: 'main', tags: ['$initial'], test: /^(?!.*(node_modules|contract\/(credentials|fields)\.ts))/ },
          ],
        },
      },
    },
  },
})
