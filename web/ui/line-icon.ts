import { createElement, type SVGProps } from 'react'

/** An icon as the library draws it: its lines on a square of 24, named by their elements. */
export type IconNode = { node: readonly (readonly [element: string, attributes: Record<string, string>])[] }

/** What the house says of an icon, and no more: of all else the library's maker and this one may differ. */
type IconProps = Pick<SVGProps<SVGSVGElement>, 'strokeWidth' | 'fill' | 'className' | 'aria-hidden' | 'aria-label'> & {
  size?: number
}

/**
 * A component for an icon. The build puts it in the place of the library's own maker (scripts/tools/line-icons.ts), which
 * is a page of code for choices that the house never makes.
 */
export function lineIcon({ node }: IconNode) {
  const lines = node.map(([element, attributes]) => createElement(element, attributes))
  return ({ size = 24, ...look }: IconProps) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        // Beside words it says nothing of its own; one that does is named.
        'aria-hidden': look['aria-label'] ? undefined : true,
        ...look,
      },
      ...lines,
    )
}
