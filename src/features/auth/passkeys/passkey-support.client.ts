/** Whether passkeys work here: browsers have them over https and at localhost only, and bind them to no IP address. */
export const hasPasskeys =
  'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {}) && !/^[\d.]+$|^\[/.test(location.hostname)
