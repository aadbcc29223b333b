/** Names and codes of states and provinces, by country: buyers write either. */
const REGIONS: Readonly<Record<string, string>> = {
  US: 'Alabama:AL|Alaska:AK|Arizona:AZ|Arkansas:AR|California:CA|Colorado:CO|Connecticut:CT|Delaware:DE|District of Columbia:DC|Florida:FL|Georgia:GA|Hawaii:HI|Idaho:ID|Illinois:IL|Indiana:IN|Iowa:IA|Kansas:KS|Kentucky:KY|Louisiana:LA|Maine:ME|Maryland:MD|Massachusetts:MA|Michigan:MI|Minnesota:MN|Mississippi:MS|Missouri:MO|Montana:MT|Nebraska:NE|Nevada:NV|New Hampshire:NH|New Jersey:NJ|New Mexico:NM|New York:NY|North Carolina:NC|North Dakota:ND|Ohio:OH|Oklahoma:OK|Oregon:OR|Pennsylvania:PA|Rhode Island:RI|South Carolina:SC|South Dakota:SD|Tennessee:TN|Texas:TX|Utah:UT|Vermont:VT|Virginia:VA|Washington:WA|West Virginia:WV|Wisconsin:WI|Wyoming:WY',
  CA: 'Alberta:AB|British Columbia:BC|Manitoba:MB|New Brunswick:NB|Newfoundland and Labrador:NL|Northwest Territories:NT|Nova Scotia:NS|Nunavut:NU|Ontario:ON|Prince Edward Island:PE|Quebec:QC|Québec:QC|Saskatchewan:SK|Yukon:YT',
}

const codesByName = new Map(
  Object.entries(REGIONS).flatMap(([country, list]) =>
    list.split('|').map((entry): [string, string] => {
      const [name = '', code = ''] = entry.split(':')
      return [`${country} ${name.toUpperCase()}`, code]
    }),
  ),
)

const knownCodes = new Set([...codesByName].map(([name, code]) => `${name.slice(0, 2)} ${code}`))

/** Whether the region exists. For a country without a list, any text but an empty one is accepted. */
export const isKnownRegion = (country: string, region: string): boolean =>
  country in REGIONS ? knownCodes.has(`${country} ${regionCode(country, region)}`) : region !== ''

/** The code of a typed region: 'FL' for 'Florida', 'fl.' or 'FL'. An unknown region is returned in upper case. */
export function regionCode(country: string, region: string): string {
  const typedRegion = region.trim().replace(/\.$/, '').toUpperCase()
  return codesByName.get(`${country} ${typedRegion}`) ?? typedRegion
}
