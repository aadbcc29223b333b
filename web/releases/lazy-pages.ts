// One lazy chunk: the pages share their code.
export { MusicPage } from './MusicPage'
export { ReleasePage } from './ReleasePage'
export { TrackPage } from './TrackPage'
