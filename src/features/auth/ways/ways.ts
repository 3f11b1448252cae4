/** The ways by which a member may come in. */
export interface SignInWays {
  email: boolean
  /** Linked providers that the site offers. */
  providers: number
  /** Passkeys that work at this site. */
  passkeys: number
  /** Recovery codes that are not used. */
  recoveryCodes: number
}

/** Whether a member could still come in. Recovery codes do not count: they run out. */
export const canSignIn = ({ email, providers, passkeys }: SignInWays): boolean => email || providers + passkeys > 0

/** Whether the loss of one device or provider would end the account for its member: they have neither an address nor recovery codes. */
export const needsSecondWay = ({ email, providers, passkeys, recoveryCodes }: SignInWays): boolean =>
  !email && recoveryCodes === 0 && providers + passkeys < 2
