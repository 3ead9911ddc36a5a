const key = 'token';

/** The token of this tab, or null. It is gone when the tab is closed. */
export const readToken = () => sessionStorage.getItem(key);

export const keepToken = (token: string) => sessionStorage.setItem(key, token);

export const forgetToken = () => sessionStorage.removeItem(key);
