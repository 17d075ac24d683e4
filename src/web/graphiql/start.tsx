import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import '../styles/tokens.css';
import './graphiql.css';
import { applyTheme } from '../preferences/apply-theme.ts';
import { Console } from './Console.tsx';

applyTheme();
createRoot(document.getElementById('root')!).render(<Console />);
