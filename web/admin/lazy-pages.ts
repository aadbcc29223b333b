// One lazy chunk for all admin pages.
export { ChallengeAdminPage } from '../challenge/ChallengeAdminPage'
export { VerseSubmissionsPage } from '../challenge/SubmissionsTable'
export { DoorPage } from '../check-in/DoorPage'
export { BallotsAutoDownloadPage, BallotsDownloadPage } from '../exports/BallotsDownloadPage'
export { AdminPage } from './AdminPage'
export { ReleasePage } from './ReleasePage'
export { ReleasePreviewPage } from './ReleasePreviewPage'
