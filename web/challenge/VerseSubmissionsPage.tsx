import { DeskPage } from '../admin/DeskPage'
import { Submissions } from './Submissions'

/** /verse-submissions (specification section 2). */
export function VerseSubmissionsPage() {
  return (
    <DeskPage
      title="Verse Submissions"
      note="Addresses and numbers are masked. Each one that you reveal is written to the audit log, and so is every export."
    >
      <Submissions />
    </DeskPage>
  )
}
