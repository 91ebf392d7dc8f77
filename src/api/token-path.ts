/** Where the emulator itself has the access token API, below `/_emulator` (N64a). */
export const ownTokenPath = '/access-token'
