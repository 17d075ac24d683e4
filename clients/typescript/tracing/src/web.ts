export { createNoOpProvider, register, WebTracerProvider } from './register/register-web.ts';
export * from './shared.ts';
