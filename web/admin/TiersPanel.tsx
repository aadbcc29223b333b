import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type DeskTier, siteContentApi, TierDraft } from '../../worker/contract/site-content'
import { call } from '../api/call'
import { shortPrice } from '../lib/money'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { useSave } from './content.queries'
import { deskTiers } from './desk-lists'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldOf } from './RecordField'
import { useWholeList } from './useListing'

const columns: readonly Column<DeskTier>[] = [
  { id: 'name', header: 'Tier', cell: (row) => row.name },
  { id: 'price', header: 'A month', cell: (row) => shortPrice(row.priceCents), numeric: true },
  { id: 'features', header: 'Features', cell: (row) => row.features.length, numeric: true },
  { id: 'popular', header: 'Most Popular', cell: (row) => (row.popular ? 'Yes' : '') },
]
const fields: readonly FieldOf<TierDraft>[] = [
  { name: 'name', label: 'Name' },
  { name: 'priceCents', label: 'Price a month', kind: 'dollars', hint: 'What Stripe charges must be the same.' },
  { name: 'features', label: 'Features', kind: 'lines', hint: 'One a line.' },
  { name: 'popular', label: 'Marked Most Popular', kind: 'check', hint: 'One tier alone is.' },
]

/** What the three tiers' cards say. */
export function TiersPanel() {
  const [open, setOpen] = useState<DeskTier | null>(null)
  const listing = useWholeList(useQuery(deskTiers), { label: 'Search tiers', textOf: (row) => row.name })
  const save = useSave(
    ({ id, draft }: { id: string; draft: TierDraft }) => call(siteContentApi.changeTier, { id, body: draft }),
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
          <Button look="quiet" aria-label={`Edit ${row.name}`} onClick={() => setOpen(row)}>
            Edit
          </Button>
        )}
      />
      {open && (
        <RecordDialog
          title={open.name}
          schema={TierDraft}
          fields={fields}
          values={draftOf(open)}
          save={(draft) => save.mutateAsync({ id: open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const draftOf = ({ id: _, ...draft }: DeskTier): TierDraft => draft
