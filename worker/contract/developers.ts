import * as z from 'zod/mini'
import { get, visitor } from './endpoint'

export const developersApi = {
  /** This description: OpenAPI 3.1. /developers shows it to people. */
  openApi: get('/api/openapi.json', z.looseObject({ openapi: z.string() }), visitor),
}
