interface ImportMetaEnv {
  /** Address of the gateway. */
  readonly VITE_ENDPOINT?: string;
}
