/** Whether this page can use passkeys. Browsers bind them to a name: an IP address ends with a digit or a bracket. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in window && window.isSecureContext && !/[\d\]]$/.test(location.hostname)
