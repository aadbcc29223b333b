import { buildWeb } from './tools/build.ts'

// `npm run build`: builds the web app unless its sources are unchanged.
console.log((await buildWeb()) ? 'Built the site.' : 'The build is up to date.')
