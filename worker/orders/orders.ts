import { Refused } from '../lib/refused'

export const unknownOrder = () => new Refused('not_found', 'That order does not exist.')
