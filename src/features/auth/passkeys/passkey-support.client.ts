/** Whether passkeys work here: browsers have them over https and at localhost only, and bind them to no IP address. */
export const hasPasskeys = 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
