/**
 * Props of a lucide icon in an island: it leaves out the attributes that styles/base.css sets for `.ic`, and the namespace, which HTML
 * implies.
 */
export const ICON_PROPS = {
  className: 'ic',
  'aria-hidden': true,
  xmlns: undefined,
  fill: undefined,
  stroke: undefined,
  strokeLinecap: undefined,
  strokeLinejoin: undefined,
} as const
