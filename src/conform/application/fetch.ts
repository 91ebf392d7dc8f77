// A separate module, so that the CommonJS library can load it outside the sandbox of Jest.
export { fetch } from 'undici'
