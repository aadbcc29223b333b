import * as z from 'zod/mini'
import { cents, line } from '../../worker/contract/fields'
import { type AdminShippingZone, adminZonesApi, type ZoneDraft } from '../../worker/contract/shop-settings'
import { useAdminMutation, useRemoveWithUndo } from '../admin/admin.queries'
import { Panel } from '../admin/Panel'
import { RecordForm } from '../admin/RecordForm'
import { call } from '../api/call'
import { Button } from '../ui/Button'

const SHIPPING_ZONE_QUERY_KEYS = ['shipping-zones']
/** After all shipping zones. */
const PICKUP_POSITION = 100
const PickupDraft = z.strictObject({ name: line(60, 'The text'), priceCents: cents('The price') })
type PickupDraft = z.infer<typeof PickupDraft>

const toZone = ({ name, priceCents }: PickupDraft, zone: AdminShippingZone | null): ZoneDraft => ({
  name: 'Pick-up at a show',
  kind: 'pickup',
  countries: [],
  methods: [
    {
      ...(zone?.methods[0]?.id && { id: zone.methods[0].id }),
      name,
      pricing: 'items',
      baseCents: priceCents,
      perItemCents: 0,
      bands: [],
      freeFromCents: null,
    },
  ],
  position: PICKUP_POSITION,
  ...(zone && { version: zone.version }),
})

/** Settings of pickup at upcoming shows. `zone` is null while pickup is off. */
export function PickupPanel({ zone }: { zone: AdminShippingZone | null }) {
  const method = zone?.methods[0]
  const save = useAdminMutation(
    (draft: PickupDraft) =>
      zone
        ? call(adminZonesApi.update, { id: zone.id, body: toZone(draft, zone) })
        : call(adminZonesApi.add, { body: toZone(draft, null) }),
    SHIPPING_ZONE_QUERY_KEYS,
  )
  const remove = useRemoveWithUndo({
    keys: SHIPPING_ZONE_QUERY_KEYS,
    remove: (id) => call(adminZonesApi.remove, { id }),
    restore: (id) => call(adminZonesApi.restore, { id }),
    title: 'Switched off',
  })
  return (
    <Panel
      title="Pick-up at a show"
      note={
        zone
          ? 'Buyers choose one of the next five shows. They need no address.'
          : 'Off. When it is on, buyers choose one of the next five shows and need no address.'
      }
    >
      <RecordForm
        // Remounts the form with the values of a new version.
        key={`${zone?.id} ${zone?.version}`}
        schema={PickupDraft}
        values={{ name: method?.name ?? 'Pick up at the merch table', priceCents: method?.baseCents ?? 0 }}
        fields={[
          { name: 'name', label: 'Text', hint: 'Buyers see the show’s venue, city and day after it.' },
          { name: 'priceCents', label: 'Price', kind: 'money' },
        ]}
        save={(draft) => save.mutateAsync(draft)}
        savedText={() => 'Buyers can pick orders up at upcoming shows.'}
      />
      {zone && (
        <Button variant="text" className="mt-4 -ml-3" onClick={() => remove(zone.id, 'Pick-up')}>
          Switch pick-up off
        </Button>
      )}
    </Panel>
  )
}
