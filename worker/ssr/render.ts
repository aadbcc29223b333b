import type { AppEnv } from '../http/app-env'

/**
 * The renderer that the last build left: web/render.tsx. React and the screens are a third of the worker: they are made
 * ready when the first page is drawn, not when an isolate starts, for it may be a vote that it starts for.
 */
export const render: AppEnv['Variables']['render'] = async (path, data) =>
  (await import('../../dist/server/render.js')).render(path, data)
