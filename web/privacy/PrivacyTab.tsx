import { InquiriesPanel } from './InquiriesPanel'
import { JobsPanel } from './JobsPanel'

/** What people ask about their data, and what the daily jobs did with it. */
export function PrivacyTab() {
  return (
    <div className="grid grid-cols-1 gap-16">
      <InquiriesPanel />
      <JobsPanel />
    </div>
  )
}
