import type { PageData } from '../contract/pages'

/** Renders a page to HTML; `state` hydrates the browser's query cache. */
export type RenderPage = (path: string, data: Partial<PageData>) => Promise<{ html: string; state: unknown }>

/**
 * The built renderer (web/render.tsx). It is a third of the worker, so it is loaded with an isolate's first page, not
 * at its start.
 */
export const render: RenderPage = async (path, data) => (await import('../../dist/server/render.js')).render(path, data)
