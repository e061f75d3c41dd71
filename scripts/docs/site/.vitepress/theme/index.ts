import DefaultTheme from "vitepress/theme";
import "./contrast.css";
import "./pictures.css";

export default DefaultTheme;
