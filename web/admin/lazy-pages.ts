// The dashboard's routes load this chunk; each screen in `screens.ts` has its own chunk.
export { ChallengeAdminPage } from '../challenge/ChallengeAdminPage'
export { VerseSubmissionsPage } from '../challenge/SubmissionsTable'
export { DoorPage } from '../check-in/DoorPage'
export { BallotsAutoDownloadPage, BallotsDownloadPage } from '../exports/BallotsDownloadPage'
export { ReleasePreviewPage } from '../releases/ReleasePreviewPage'
export { AdminScreen, preloadScreen } from './AdminScreen'
export { AdminShell } from './AdminShell'
