import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminTier, adminSiteContentApi, TierDraft } from '../../worker/contract/admin-site-content'
import { call } from '../api/call'
import { formatShortPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { adminTiers } from './admin-lists.queries'
import { useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldDefinition } from './RecordField'
import { useLocalListing } from './useTableListing'

const columns: readonly Column<AdminTier>[] = [
  { id: 'name', header: 'Tier', cell: (row) => row.name },
  { id: 'price', header: 'A month', cell: (row) => formatShortPrice(row.priceCents), numeric: true },
  { id: 'features', header: 'Features', cell: (row) => row.features.length, numeric: true },
  { id: 'popular', header: 'Most Popular', cell: (row) => (row.popular ? 'Yes' : '') },
]
const fields: readonly FieldDefinition<TierDraft>[] = [
  { name: 'name', label: 'Name' },
  { name: 'priceCents', label: 'Price a month', kind: 'dollars', hint: 'What Stripe charges must be the same.' },
  { name: 'features', label: 'Features', kind: 'lines', hint: 'One a line.' },
  { name: 'popular', label: 'Marked Most Popular', kind: 'check', hint: 'One tier alone is.' },
]

/** What the three tiers' cards say. */
export function TiersPanel() {
  const [open, setOpen] = useState<AdminTier | null>(null)
  const listing = useLocalListing(useQuery(adminTiers), { label: 'Search tiers', textOf: (row) => row.name })
  const save = useSave(
    ({ id, draft }: { id: string; draft: TierDraft }) => call(adminSiteContentApi.changeTier, { id, body: draft }),
    ['tiers', 'config'],
  )
  return (
    <Panel title="Tiers">
      <DataTable
        caption="Tiers"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No tier yet: npm run site:init makes them."
        actions={(row) => (
          <Button variant="quiet" aria-label={`Edit ${row.name}`} onClick={() => setOpen(row)}>
            Edit
          </Button>
        )}
      />
      {open && (
        <RecordDialog
          title={open.name}
          schema={TierDraft}
          fields={fields}
          values={toDraft(open)}
          save={(draft) => save.mutateAsync({ id: open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const toDraft = ({ id: _, ...draft }: AdminTier): TierDraft => draft
