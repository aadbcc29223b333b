import { InquiriesPanel } from './InquiriesPanel'
import { JobsPanel } from './JobsPanel'

/** What people ask about their data, and what the daily jobs did with it. */
export function PrivacyTab() {
  return (
    <div className="grid gap-16">
      <InquiriesPanel />
      <JobsPanel />
    </div>
  )
}
