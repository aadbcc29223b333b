import { buildWeb } from './tools/build.ts'

// `npm run build`: the web app into dist/, unless its sources are those of the last build.
console.log((await buildWeb()) ? 'Built the site.' : 'The build is up to date.')
