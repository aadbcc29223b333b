import type { Links } from '../../worker/contract/site'
import { SERVICES, type Service } from '../../worker/contract/tracks'
import { BRAND_NAME, BrandIcon } from '../ui/BrandIcon'
import { buttonClass } from '../ui/Button'
import { SINGLE_ID } from './featured-track'
import { useOutboundClick } from './tracks.queries'

/** Where the single can be heard elsewhere. Leaving is counted; an unknown address is left out. */
export function StreamPanel({ links, spotifyUrl }: { links: Links; spotifyUrl: string }) {
  const { mutate } = useOutboundClick()
  const serviceUrl = (service: Service) => (service === 'spotify' && spotifyUrl) || links[service]
  return (
    <div className="col-span-full mt-8 flex flex-col gap-x-8 gap-y-4 border-y border-rule py-5 lg:mt-12 lg:flex-row lg:items-center">
      <h3 className="font-display text-xl">Stream</h3>
      <ul className="grid grow grid-cols-2 gap-3 md:grid-cols-4">
        {SERVICES.filter(serviceUrl).map((service) => (
          <li key={service}>
            <a
              href={serviceUrl(service)}
              target="_blank"
              rel="noopener"
              onClick={() => mutate({ trackId: SINGLE_ID, service })}
              className={buttonClass(
                'outline',
                'w-full px-1! whitespace-nowrap text-sm! tracking-normal! normal-case!',
              )}
            >
              <BrandIcon brand={service} />
              {BRAND_NAME[service]}
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
