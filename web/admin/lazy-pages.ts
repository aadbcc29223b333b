// The desk's pages as one lazy piece: the home page names one file for them instead of five and all that each needs,
// and whoever opens one of them opens the others.
export { ChallengeAdminPage } from '../challenge/ChallengeAdminPage'
export { VerseSubmissionsPage } from '../challenge/SubmissionsTable'
export { DoorPage } from '../check-in/DoorPage'
export {
  BallotsAutoDownloadPage as DownloadCsvPage,
  BallotsDownloadPage as CsvDownloadPage,
} from '../exports/BallotsDownloadPage'
export { AdminPage } from './AdminPage'
