import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { ScreenId } from '../../worker/contract/admin-screens'
import { type ScreenParams, type ScreenSearch, toScreen } from './screen-location'

type Props = Pick<
  ComponentProps<'a'>,
  'className' | 'children' | 'onClick' | 'id' | (`aria-${string}` & keyof ComponentProps<'a'>)
> & {
  screen: ScreenId
  params?: ScreenParams
  search?: ScreenSearch
}

/** A link to a screen of the dashboard. */
export const ScreenLink = ({ screen, params, search, ...rest }: Props) => (
  <Link {...toScreen(screen, { params, search })} {...rest} />
)
