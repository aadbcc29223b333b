import { adminShopApi, CURRENCIES, type ShopSettings, ShopSettingsChange } from '../../worker/contract/shop-settings'
import { useAdminMutation } from '../admin/admin.queries'
import { Panel } from '../admin/Panel'
import { RecordForm } from '../admin/RecordForm'
import { call } from '../api/call'
import { countryName } from '../checkout/address-lines'
import { countryOptions } from './countries'

const currencyNames = new Intl.DisplayNames('en-US', { type: 'currency' })
const currencyName = (code: string) => `${currencyNames.of(code)} (${code})`

/** Without a home country, no tax is shown before the buyer's address is known. */
const NO_HOME_COUNTRY = { value: '', label: 'None' }

export function CurrencyPanel({ settings }: { settings: ShopSettings }) {
  const save = useAdminMutation(
    (body: ShopSettingsChange) => call(adminShopApi.updateSettings, { body }),
    ['shop-settings', 'config'],
  )
  return (
    <Panel title="Currency and home country" note="All prices, orders and reports are in one currency.">
      {settings.isCurrencyFixed && (
        <p className="mb-6">
          <strong>{currencyName(settings.currency)}</strong>. It can no longer change, because there are orders in it.
        </p>
      )}
      <RecordForm
        schema={ShopSettingsChange}
        values={{ currency: settings.currency, homeCountry: settings.homeCountry }}
        fields={[
          ...(settings.isCurrencyFixed
            ? []
            : [
                {
                  name: 'currency',
                  label: 'Currency',
                  kind: 'select',
                  options: CURRENCIES.map((value) => ({ value, label: currencyName(value) })),
                  hint: 'Prices keep their numbers. After the first order, the currency can no longer change.',
                } as const,
              ]),
          {
            name: 'homeCountry',
            label: 'Home country',
            kind: 'select',
            options: [NO_HOME_COUNTRY, ...countryOptions],
            hint: 'Until buyers enter an address, they see the tax that prices include here.',
          },
        ]}
        save={(draft) => save.mutateAsync(draft)}
        savedText={({ currency, homeCountry }) =>
          homeCountry
            ? `Prices are in ${currencyName(currency)}. Home country: ${countryName(homeCountry)}.`
            : `Prices are in ${currencyName(currency)}.`
        }
      />
    </Panel>
  )
}
