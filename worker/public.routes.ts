import { authRoutes } from './auth/auth.routes'
import { challengeRoutes } from './challenge/challenge.routes'
import { checkInRoutes } from './check-in/check-in.routes'
import { communityRoutes } from './community/community.routes'
import { concertsRoutes } from './concerts/concerts.routes'
import { authApi } from './contract/auth'
import { challengeApi } from './contract/challenge'
import { checkInApi } from './contract/check-in'
import { communityApi } from './contract/community'
import { concertsApi } from './contract/concerts'
import type { Endpoint } from './contract/endpoint'
import { hallOfFameApi } from './contract/hall-of-fame'
import { legalTextsApi } from './contract/legal-texts'
import { pointsApi } from './contract/points'
import { pollsApi } from './contract/polls'
import { productsApi } from './contract/products'
import { releasesApi } from './contract/releases'
import { siteApi } from './contract/site'
import { tracksApi } from './contract/tracks'
import type { RouteGroup } from './http/route-group'
import { missionsRoutes } from './missions/missions.routes'
import { pointsRoutes } from './points/points.routes'
import { pollsRoutes } from './polls/polls.routes'
import { productsRoutes } from './products/products.routes'
import { releasesRoutes } from './releases/releases.routes'
import { siteRoutes } from './site/site.routes'
import { tracksRoutes } from './tracks/tracks.routes'
import { mediaRoutes } from './uploads/media.routes'

const apis: readonly Record<string, Endpoint>[] = [
  siteApi,
  legalTextsApi,
  authApi,
  tracksApi,
  releasesApi,
  productsApi,
  concertsApi,
  checkInApi,
  communityApi,
  pollsApi,
  pointsApi,
  hallOfFameApi,
  challengeApi,
]

/** The routes that public pages call most; `PUBLIC_PATHS` in app.ts matches their paths. */
export const publicRoutes: RouteGroup = {
  endpoints: apis.flatMap((api) => Object.values(api)),
  routes: [
    siteRoutes,
    mediaRoutes,
    missionsRoutes,
    tracksRoutes,
    releasesRoutes,
    productsRoutes,
    concertsRoutes,
    checkInRoutes,
    communityRoutes,
    pollsRoutes,
    pointsRoutes,
    challengeRoutes,
    authRoutes,
  ],
}
