// Error numbers, as on Linux.
export const EPERM = 1;
export const ESRCH = 3;
export const EBADF = 9;
export const EAGAIN = 11;
export const EINVAL = 22;
export const EPIPE = 32;
export const EADDRINUSE = 98;
export const EADDRNOTAVAIL = 99;
export const ECONNRESET = 104;
export const ENOTCONN = 107;
export const ECONNREFUSED = 111;
export const EHOSTUNREACH = 113;
