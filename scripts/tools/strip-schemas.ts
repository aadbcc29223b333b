import type { Plugin } from 'vite'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Edit = { start: number; end: number; text: string }

const ENDPOINT_FUNCTIONS = new Set(['get', 'post', 'patch', 'del', 'upload'])

/**
 * The browser trusts the worker and checks answers in development alone, so a built page carries the rows of the wire
 * without their shapes: a row says only that a body or an answer exists, and a shape that no form imports falls away
 * with the library behind it (8 KB of 138 compressed, measured). The worker's own build is not touched.
 */
export const stripSchemasPlugin: Plugin = {
  name: 'rows-without-shapes',
  apply: 'build',
  transform: {
    filter: { id: /\/worker\/contract\/(?!endpoint)[\w-]+\.ts$/ },
    handler(code) {
      return { code: stripSchemas(code, this.parse(code) as unknown as Node), map: null }
    },
  },
}

/** `get('/p', z.object({}))` becomes `get('/p', true)`; `const X = z.object({})` becomes droppable when unused. */
export function stripSchemas(code: string, program: Node): string {
  const edits: Edit[] = []
  for (const { init } of topLevelConstants(program)) {
    if (init.type === 'CallExpression') edits.push(...droppable(init))
    else visit(init, (call) => edits.push(...schemaArguments(call)))
  }
  return edits
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)
}

function topLevelConstants(program: Node): { init: Node }[] {
  return (program.body as Node[])
    .map((node) => (node.type === 'ExportNamedDeclaration' ? (node.declaration as Node | null) : node))
    .filter((node) => node?.type === 'VariableDeclaration')
    .flatMap((node) => node?.declarations as { init: Node | null }[])
    .filter((constant): constant is { init: Node } => constant.init !== null)
}

/** Around a call: a pure function that is called at once, which a bundler may leave out with everything inside. */
function droppable({ start, end }: Node): Edit[] {
  return [
    { start, end: start, text: '/*#__PURE__*/ (() => ' },
    { start: end, end, text: ')()' },
  ]
}

/** In a row, every argument between the path and the options. */
function schemaArguments(call: Node): Edit[] {
  const { name } = call.callee as { name?: string }
  if (!name || !ENDPOINT_FUNCTIONS.has(name)) return []
  const shapes = (call.arguments as Node[]).slice(1, name === 'get' || name === 'upload' ? 2 : 3)
  return shapes
    .filter((shape) => !(shape.type === 'Literal' && shape.value === null))
    .map(({ start, end }) => ({ start, end, text: 'true' }))
}

function visit(node: Node, onCall: (call: Node) => void): void {
  if (node.type === 'CallExpression') {
    onCall(node)
    return
  }
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof (child as Node).type === 'string') visit(child as Node, onCall)
}
