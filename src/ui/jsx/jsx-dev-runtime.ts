import type { ElementType, Key } from 'react'
import { jsx, jsxs } from './jsx-runtime.ts'

export { Fragment } from './jsx-runtime.ts'

/** The same for `npm run dev`. */
export const jsxDEV = (type: ElementType, props: object, key: Key | undefined, isParent: boolean) =>
  (isParent ? jsxs : jsx)(type, props as Record<string, unknown>, key)
