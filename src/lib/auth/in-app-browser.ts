/** Whether an app's own browser asks, where providers refuse to sign anybody in: Instagram's, Facebook's and the like, and Android's web view. */
export const isInAppBrowser = (userAgent: string | null): boolean =>
  /Instagram|FBA[NV]|FB_IAB|musical_ly|Bytedance|TikTok|Twitter for|LinkedInApp|Snapchat|Pinterest|\bLine\/|MicroMessenger|; wv\)/.test(
    userAgent ?? '',
  )
