import type { AdminOrder } from '../../worker/contract/orders'

export const hasShipped = ({ fulfilment }: Pick<AdminOrder, 'fulfilment'>) =>
  fulfilment === 'shipped' || fulfilment === 'delivered'

/** The lines with physical items, with the quantity that was not refunded; also of an order that has shipped. */
export const linesToShip = ({ lines }: Pick<AdminOrder, 'lines'>) =>
  lines
    .map((line) => ({ ...line, remainingQuantity: line.quantity - line.refundedQuantity }))
    .filter(({ kind, remainingQuantity }) => kind !== 'digital' && remainingQuantity > 0)
