import { AdminPageLayout } from '../admin/AdminPageLayout'
import { SubmissionsTable } from './SubmissionsTable'

/** /verse-submissions (specification section 2). */
export function VerseSubmissionsPage() {
  return (
    <AdminPageLayout
      title="Verse Submissions"
      note="Addresses and numbers are masked. Each one that you reveal is written to the audit log, and so is every export."
    >
      <SubmissionsTable />
    </AdminPageLayout>
  )
}
