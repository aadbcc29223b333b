import { adminShopApi, type ShopSettings, ShopSettingsChange } from '../../worker/contract/shop-settings'
import { useAdminMutation } from '../admin/admin.queries'
import { Panel } from '../admin/Panel'
import { RecordForm } from '../admin/RecordForm'
import { call } from '../api/call'

export function LowStockPanel({ settings }: { settings: ShopSettings }) {
  const save = useAdminMutation(
    (body: ShopSettingsChange) => call(adminShopApi.updateSettings, { body }),
    ['shop-settings'],
  )
  return (
    <Panel title="Low stock" note="The overview lists sizes and colors with few units left, so you can reorder.">
      <RecordForm
        schema={ShopSettingsChange}
        // The schema requires the currency, which this form does not change.
        values={{ currency: settings.currency, lowStockThreshold: settings.lowStockThreshold }}
        fields={[
          {
            name: 'lowStockThreshold',
            label: 'Units left',
            kind: 'number',
            hint: 'At this number or below, stock counts as low.',
          },
        ]}
        save={(draft) => save.mutateAsync(draft)}
        savedText={({ lowStockThreshold }) =>
          `Stock is low at ${lowStockThreshold ?? settings.lowStockThreshold} or below.`
        }
      />
    </Panel>
  )
}
