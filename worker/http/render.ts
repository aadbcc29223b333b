/** The renderer that the last build left: web/render.tsx. */
export { render } from '../../dist/server/render.js'
